import { Component, type ReactNode } from 'react';

interface ViewBoundaryProps {
  readonly children: ReactNode;
}

/** Catches errors of a view that cannot be loaded or rendered, so that the frame around it stays. */
export class ViewBoundary extends Component<ViewBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="empty">
        <p>This view could not be shown. Reload the page to try again.</p>
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </div>
    );
  }
}
