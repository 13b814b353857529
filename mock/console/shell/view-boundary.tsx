import { Component, type ReactNode } from 'react';

interface ViewBoundaryProps {
  readonly children: ReactNode;
}

/** A view that could not be loaded or drawn: the frame around it stays, and a fresh start is one press away. */
export class ViewBoundary extends Component<ViewBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="empty">
        <p>This view could not be shown.</p>
        <button type="button" onClick={() => location.reload()}>
          Load the page again
        </button>
      </div>
    );
  }
}
