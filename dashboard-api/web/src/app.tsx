import type { FunctionComponent } from "preact";
import { useMemo } from "preact/hooks";
import { CallsPage } from "./pages/calls/page";
import { LatencyPage } from "./pages/latency/page";
import { OverviewPage } from "./pages/overview/page";
import { QualityPage } from "./pages/quality/page";
import { MarksProvider } from "./parts/marks";
import { PipelineProvider } from "./shell/completeness";
import { Shell } from "./shell/shell";
import { PlaceProvider, useAddress } from "./state/place";
import { useTheme } from "./state/theme";
import { useTick } from "./state/tick";
import type { PageId } from "./state/view";

const COMPONENTS: Record<PageId, FunctionComponent> = {
  overview: OverviewPage,
  lanes: OverviewPage,
  latency: LatencyPage,
  people: OverviewPage,
  calls: CallsPage,
  "what-if": OverviewPage,
  alarms: OverviewPage,
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
      <PipelineProvider>
        <MarksProvider>
          <Shell refresh={refresh} theme={theme} chooseTheme={chooseTheme}>
            <Page key={view.page} />
          </Shell>
        </MarksProvider>
      </PipelineProvider>
    </PlaceProvider>
  );
}
