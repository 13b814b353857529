import { type KeyboardEvent, useId, useRef } from 'react';

interface MenuItem {
  readonly label: string;
  /** True for an action that cannot be undone. */
  readonly danger?: boolean;
  readonly act: () => void;
}

interface MenuProps {
  /** For example `Actions of full`. */
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** A button with three dots that opens a menu of actions. */
export function Menu({ label, items }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const itemsOf = () => [...(list.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  const opened = () => {
    const [place, menu] = [button.current?.getBoundingClientRect(), list.current];
    if (place === undefined || menu === null) return;
    // The menu opens below its button, or above it if there is no room below.
    const below = place.bottom + menu.offsetHeight + 8 < innerHeight;
    menu.style.top = `${below ? place.bottom + 4 : place.top - menu.offsetHeight - 4}px`;
    menu.style.left = `${Math.max(8, place.right - menu.offsetWidth)}px`;
    itemsOf()[0]?.focus();
  };
  const move = (event: KeyboardEvent) => {
    const all = itemsOf();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all.at(to % all.length)?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="small menu-button"
        aria-label={label}
        aria-haspopup="menu"
        popoverTarget={id}
      >
        ⋯
      </button>
      <div
        ref={list}
        id={id}
        role="menu"
        aria-label={label}
        popover="auto"
        className="menu"
        onKeyDown={move}
        onToggle={({ newState }) => {
          if (newState === 'open') opened();
        }}
      >
        {items.map(({ label: words, danger, act }) => (
          <button
            key={words}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={danger ? 'danger' : undefined}
            onClick={() => {
              // The menu closes first. The focus is then back on the button, where a dialog will return it.
              list.current?.hidePopover();
              act();
            }}
          >
            {words}
          </button>
        ))}
      </div>
    </>
  );
}
