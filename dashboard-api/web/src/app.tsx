import type { FunctionComponent } from "preact";
import { useMemo } from "preact/hooks";
import { AlarmsPage } from "./pages/alarms/page";
import { CallsPage } from "./pages/calls/page";
import { LanesPage } from "./pages/lanes/page";
import { LatencyPage } from "./pages/latency/page";
import { OverviewPage } from "./pages/overview/page";
import { PeoplePage } from "./pages/people/page";
import { QualityPage } from "./pages/quality/page";
import { WhatIfPage } from "./pages/what-if/page";
import { MarksProvider } from "./parts/marks";
import { PipelineProvider } from "./shell/completeness";
import { Shell } from "./shell/shell";
import { MeProvider } from "./state/me";
import { PlaceProvider, useAddress } from "./state/place";
import { useTheme } from "./state/theme";
import { useTick } from "./state/tick";
import type { PageId } from "./state/view";

const COMPONENTS: Record<PageId, FunctionComponent> = {
  overview: OverviewPage,
  lanes: LanesPage,
  latency: LatencyPage,
  people: PeoplePage,
  calls: CallsPage,
  "what-if": WhatIfPage,
  alarms: AlarmsPage,
  quality: QualityPage,
};

export function App() {
  const [view, navigate] = useAddress();
  const [tick, refresh] = useTick(view.refresh);
  const [theme, dark, chooseTheme] = useTheme();
  const place = useMemo(() => ({ view, navigate, tick, dark }), [view, navigate, tick, dark]);
  const Page = COMPONENTS[view.page];
  return (
    <PlaceProvider place={place}>
      <MeProvider>
        <PipelineProvider>
          <MarksProvider>
            <Shell refresh={refresh} theme={theme} chooseTheme={chooseTheme}>
              <Page key={view.page} />
            </Shell>
          </MarksProvider>
        </PipelineProvider>
      </MeProvider>
    </PlaceProvider>
  );
}
