import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** A button that opens what belongs to it; Escape, or a click elsewhere, closes it. */
export function Menu({
  label,
  sign,
  id,
  children,
}: {
  label: string;
  sign: ComponentChildren;
  /** A name for tests. */
  id?: string;
  children: ComponentChildren;
}) {
  const [open, setOpen] = useState(false);
  const holder = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!open) {
      return undefined;
    }
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "Escape") {
        setOpen(false);
        holder.current?.querySelector("summary")?.focus();
      }
    };
    const clicked = (event: MouseEvent) => {
      if (!(event.target instanceof Node && holder.current?.contains(event.target))) {
        setOpen(false);
      }
    };
    document.addEventListener("keydown", pressed);
    document.addEventListener("click", clicked);
    return () => {
      document.removeEventListener("keydown", pressed);
      document.removeEventListener("click", clicked);
    };
  }, [open]);
  return (
    <details
      class="menu"
      ref={holder}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary aria-label={label} title={label} {...(id === undefined ? {} : { "data-testid": id })}>
        {sign}
      </summary>
      {open && <div class="menu-body">{children}</div>}
    </details>
  );
}
