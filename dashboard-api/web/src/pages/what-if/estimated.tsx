import type { Estimate } from "../../api/schema";
import { MISSING } from "../../text/format";
import { intervalText } from "./estimates";

/** A value with its 90 % interval below it. */
export function Estimated({
  estimate,
  text,
}: {
  estimate: Estimate | null | undefined;
  text: (value: number) => string;
}) {
  if (estimate === null || estimate === undefined) {
    return <>{MISSING}</>;
  }
  const interval = intervalText(estimate, text);
  return (
    <>
      {text(estimate.value)}
      {interval !== null && <small class="interval">{interval}</small>}
    </>
  );
}
