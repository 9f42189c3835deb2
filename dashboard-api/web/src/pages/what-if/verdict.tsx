import type { Gate, Verdict } from "../../api/schema";
import { DataTable } from "../../parts/table";
import { MISSING } from "../../text/format";

/** A verdict by a sign and in words, so that colour only adds to it. */
export const SAID: Record<Verdict, string> = {
  PASS: "✓ met",
  UNKNOWN: "? not known",
  "NOT YET": "✗ not met",
};

const WHOLE: Record<Verdict, string> = {
  PASS: "✓ PASS: these limits may be enforced; every requirement is met.",
  UNKNOWN: "? UNKNOWN: nothing speaks against them, but the evidence can’t tell for all.",
  "NOT YET": "✗ NOT YET: these limits must not be enforced; a requirement isn’t met.",
};

/** A verdict in a sentence, and each requirement with its evidence and what to do next. */
export function VerdictOf({ id, gate }: { id: string; gate: Pick<Gate, "verdict" | "requirements"> }) {
  return (
    <>
      <p class="verdict" role="status" data-testid={`${id}-verdict`} data-value={gate.verdict}>
        {WHOLE[gate.verdict]}
      </p>
      <DataTable
        id={`${id}-requirements`}
        label="Each requirement"
        rows={gate.requirements}
        rowKey={(one) => one.requirement}
        columns={[
          {
            id: "requirement",
            title: "Must hold",
            header: true,
            cell: (one) => <span class="wordy">{one.requirement}</span>,
          },
          {
            id: "verdict",
            title: "Does it?",
            cell: (one) => (
              <span class={`said ${one.verdict === "PASS" ? "met" : "unmet"}`}>
                {SAID[one.verdict]}
              </span>
            ),
          },
          { id: "evidence", title: "Evidence", cell: (one) => <span class="wordy">{one.evidence}</span> },
          {
            id: "next",
            title: "What to do next",
            cell: (one) => <span class="wordy">{one.next ?? MISSING}</span>,
          },
        ]}
      />
    </>
  );
}
