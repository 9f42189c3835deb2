import { useEffect, useRef, useState } from "preact/hooks";

/** Text to take along: to be read, selected, or copied by a button. */
export function Copy({ label, text, id }: { label: string; text: string; id?: string }) {
  const [said, setSaid] = useState("");
  const shown = useRef<HTMLPreElement>(null);
  useEffect(() => setSaid(""), [text]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      // Without leave to the clipboard, or without TLS: what is selected can be copied by hand.
      getSelection()?.selectAllChildren(shown.current!);
      setSaid("Selected: copy it with your keyboard");
    }
  };
  return (
    <div class="copy">
      <div class="copy-head">
        <span>{label}</span>
        <button type="button" class="chip" onClick={() => void copy()}>
          Copy
        </button>
        <span role="status">{said}</span>
      </div>
      <pre ref={shown} tabIndex={0} aria-label={label} {...(id === undefined ? {} : { "data-testid": id })}>
        {text}
      </pre>
    </div>
  );
}
