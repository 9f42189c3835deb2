import type { Action } from "../api/resource";

/** Why an action failed, where it did. */
export function Said<A extends unknown[]>({ action }: { action: Action<A> }) {
  return action.error === null ? null : (
    <p class="problem" role="alert">
      {action.error.message}
    </p>
  );
}
