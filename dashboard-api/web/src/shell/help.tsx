import { useEffect, useRef } from "preact/hooks";
import { SHORTCUTS } from "./shortcuts";

/** The keyboard's shortcuts, and the switch that turns them off. */
export function Help({
  open,
  close,
  on,
  setOn,
}: {
  open: boolean;
  close: () => void;
  on: boolean;
  setOn: (on: boolean) => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) {
      dialog.current?.showModal();
    } else {
      dialog.current?.close();
    }
  }, [open]);
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">Keyboard</h2>
      <table>
        <tbody>
          {SHORTCUTS.map(([keys, what]) => (
            <tr key={keys}>
              <th scope="row">
                <kbd>{keys}</kbd>
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <label>
          <input
            type="checkbox"
            checked={on}
            onChange={(event) => setOn(event.currentTarget.checked)}
          />{" "}
          Keys do this
        </label>
      </p>
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}
