import type { ComponentChildren } from "preact";
import { viewAddress, usePlace } from "../state/place";
import type { View } from "../state/view";
import { local, utc } from "../text/format";

/** A moment in UTC; the reader's own time on hover. */
export function Time({ at, seconds = true }: { at: string; seconds?: boolean }) {
  return (
    <time dateTime={at} title={local(at)}>
      {utc(at, seconds)}
    </time>
  );
}

/** A number that tests and people can name: its text is formatted, data-value is not. */
export function Figure({
  id,
  value,
  children,
}: {
  id: string;
  value: string | number | null | undefined;
  children: ComponentChildren;
}) {
  return (
    <span class="figure" data-testid={id} data-value={value ?? ""}>
      {children}
    </span>
  );
}

/** A link to another view: a real address, followed without a reload. Without a view, bare text. */
export function ViewLink({
  view,
  place,
  children,
  label,
  current = false,
}: {
  view: View | null;
  /** The part of the page to go to, as #id. */
  place?: string;
  children: ComponentChildren;
  label?: string;
  /** Whether this is where the reader is. */
  current?: boolean;
}) {
  const { navigate } = usePlace();
  if (view === null) {
    return <>{children}</>;
  }
  return (
    <a
      href={viewAddress(view, place)}
      {...(label === undefined ? {} : { "aria-label": label, title: label })}
      {...(current ? { "aria-current": "page" } : {})}
      onClick={(event) => {
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
          event.preventDefault();
          navigate(view, place);
        }
      }}
    >
      {children}
    </a>
  );
}

/** A share as a bar beside its number. */
export function Bar({ fraction, kind }: { fraction: number | null; kind: string }) {
  // Preact sets the width through the CSSOM, which the content security policy lets pass.
  return (
    <span class="bar" aria-hidden="true">
      <span class={`fill ${kind}`} style={{ width: `${Math.min(1, fraction ?? 0) * 100}%` }} />
    </span>
  );
}

/** A name and what it stands for, for lists of few values. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
