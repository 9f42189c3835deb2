import type { Calibration, Estimate } from "../../api/schema";

/** The newest calibration of the limits in force that could conclude, and what it says; or null. */
export function newestCorrection(
  calibrations: readonly Calibration[],
): { job: Calibration; estimate: NonNullable<Estimate> } | null {
  for (const job of calibrations) {
    const estimate = job.refused_calls_share;
    if (
      job.state === "done" &&
      job.conclusive === true &&
      estimate !== null &&
      Object.keys(job.changes).length === 0
    ) {
      return { job, estimate };
    }
  }
  return null;
}
