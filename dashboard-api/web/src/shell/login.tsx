import { useEffect, useRef, useState } from "preact/hooks";
import { post, posting } from "../api/client";
import { onUnauthorized, useAction } from "../api/resource";
import { Said } from "../parts/said";

/** Asks for a token when the API asks who is there. */
export function Login({ done }: { done: () => void }) {
  const [asking, setAsking] = useState(false);
  const [token, setToken] = useState("");
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => onUnauthorized(() => setAsking(true)), []);
  useEffect(() => {
    if (asking) {
      dialog.current?.showModal();
    } else {
      dialog.current?.close();
    }
  }, [asking]);
  const logIn = useAction(async () => {
    await post(posting("/api/v1/session", { token: token.trim() }));
    setToken("");
    setAsking(false);
    done();
  });
  return (
    <dialog ref={dialog} aria-labelledby="login-title" onClose={() => setAsking(false)}>
      <h2 id="login-title">Who is there?</h2>
      <p class="note">
        This API needs a token. Whoever runs it makes one: <code>capacity token create</code>.
      </p>
      <form
        class="custom"
        onSubmit={(event) => {
          event.preventDefault();
          logIn.run();
        }}
      >
        <label>
          Token
          <input
            type="password"
            autocomplete="current-password"
            data-testid="token"
            value={token}
            required
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        <Said action={logIn} />
        <div>
          <button type="submit" data-testid="log-in" disabled={logIn.busy}>
            Log in
          </button>
        </div>
      </form>
    </dialog>
  );
}
