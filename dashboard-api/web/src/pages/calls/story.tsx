import { ask } from "../../api/client";
import { useResource } from "../../api/resource";
import type { CallStory } from "../../api/schema";
import { Fact, Figure, Time, ViewLink } from "../../parts/figure";
import { Panel } from "../../parts/panel";
import { DataTable } from "../../parts/table";
import { usePlace } from "../../state/place";
import { linkedView, withOwn } from "../../state/view";
import { count, MISSING, span } from "../../text/format";
import { AllFields } from "./table";

/** One call's whole story: its lanes, who was in flight when it arrived, its run, and the config. */
export function StoryPanel({ id }: { id: string }) {
  const { view, navigate, tick } = usePlace();
  const story = useResource(ask("/api/v1/calls/{event_id}", {}, { event_id: id }), tick);
  return (
    <Panel id="story" title="One call" resource={story} wide>
      {(data) => (
        <>
          <p class="note">
            <button type="button" onClick={() => navigate(withOwn(view, { call: [] }))}>
              Close
            </button>
          </p>
          <Course story={data} />
          <div class="halves">
            <Lanes story={data} />
            <Neighbours story={data} />
          </div>
          <details>
            <summary>Every field of its line</summary>
            <AllFields call={data.call} />
          </details>
        </>
      )}
    </Panel>
  );
}

function Course({ story }: { story: CallStory }) {
  const { view } = usePlace();
  const { call, run, config } = story;
  return (
    <dl class="facts">
      <Fact name="Decision">
        <Figure id="story-decision" value={call.decision}>
          {call.decision}
        </Figure>
      </Fact>
      <Fact name="Requested (UTC)">
        {story.requested_earliest === null ? (
          MISSING
        ) : (
          <>
            <Time at={story.requested_earliest} />
            {story.requested_latest !== null && " or up to 999 ms later"}
          </>
        )}
      </Fact>
      <Fact name="Acquired (UTC)">
        <Time at={story.acquired_at} />
      </Fact>
      <Fact name="Ended (UTC)">
        <Time at={call.ended_at} />
      </Fact>
      <Fact name="Held">{span(call.held_ms)}</Fact>
      {run !== null && (
        <Fact name="Run">
          <Figure id="story-run" value={run.run}>
            <ViewLink view={linkedView(view, run.rows)}>{run.run}</ViewLink>: call{" "}
            {count(run.place)} of {count(run.calls)}, {count(run.refused)} refused
          </Figure>
        </Fact>
      )}
      {config !== null && (
        <Fact name="Config it met">
          {config.version === null ? "changed" : `v${config.version}`} since{" "}
          <Time at={config.changed_at} />
          {config.mode !== null && `, mode ${config.mode}`}
        </Fact>
      )}
    </dl>
  );
}

function Lanes({ story }: { story: CallStory }) {
  return (
    <div>
      <h3>The lanes it passed</h3>
      <DataTable
        id="story-lanes"
        label="The lanes it passed"
        rows={story.lanes}
        rowKey={(lane) => lane.lane}
        columns={[
          { id: "lane", title: "Lane", header: true, cell: (lane) => lane.lane },
          {
            id: "in-flight",
            title: "In flight",
            number: true,
            cell: (lane) => count(lane.in_flight),
          },
          { id: "limit", title: "Limit", number: true, cell: (lane) => count(lane.limit) },
          {
            id: "full",
            title: "State",
            cell: (lane) =>
              lane.full ? (lane.reported ? "full, and reported" : "full") : "had room",
          },
        ]}
      />
    </div>
  );
}

function Neighbours({ story }: { story: CallStory }) {
  const { view } = usePlace();
  const then = story.in_flight_then;
  return (
    <div>
      <h3>
        In flight when it arrived:{" "}
        <Figure id="story-neighbours" value={then.count}>
          {count(then.count)}
        </Figure>
      </h3>
      {then.calls.length === 0 ? (
        <p class="empty">No other call held a lease.</p>
      ) : (
        <DataTable
          id="neighbours"
          label="Calls in flight when it arrived"
          rows={then.calls}
          rowKey={(call) => call.event_id}
          tall
          columns={[
            {
              id: "from",
              title: "Acquired (UTC)",
              by: (call) => call.acquired_at,
              cell: (call) => (
                <ViewLink view={withOwn(view, { call: [call.event_id] })} place="#story">
                  <Time at={call.acquired_at} />
                </ViewLink>
              ),
            },
            {
              id: "held",
              title: "Held",
              number: true,
              by: (call) => call.held_ms,
              cell: (call) => span(call.held_ms),
            },
            {
              id: "endpoint",
              title: "Endpoint",
              by: (call) => call.endpoint,
              cell: (call) => call.endpoint ?? MISSING,
            },
            {
              id: "tier",
              title: "Tier",
              by: (call) => call.tier,
              cell: (call) => call.tier ?? MISSING,
            },
            {
              id: "run",
              title: "Run",
              by: (call) => call.automatch_run_id,
              cell: (call) =>
                call.automatch_run_id === null
                  ? MISSING
                  : `${call.automatch_run_id}${call.same_run ? " (the same)" : ""}`,
            },
          ]}
        />
      )}
      {then.count > then.shown && (
        <p class="note">The {count(then.shown)} held longest are shown.</p>
      )}
    </div>
  );
}
