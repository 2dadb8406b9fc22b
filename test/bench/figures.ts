import type { AdditionFigures } from './additions.ts';
import type { AllBundles } from './bundles.ts';
import type { Case } from './case.ts';
import type { CaseCounts } from './counts.ts';
import type { DeliveryFigures } from './delivery.ts';
import type { CpuFigures } from './handler-cpu.ts';
import type { LoadFigures } from './load.ts';

/** The measured figures of one case. */
export interface CaseFigures {
  area: string;
  name: string;
  kind: Case['kind'];
  isSimple: boolean;
  /** The budgets of CPU time in ms, if the case has any. */
  cpuAboveBaselineMs?: number;
  cpuMs?: number;
  ownCpuMs?: number;
  /** The budget of serial round trips, if it is not that of the kind. */
  roundTrips?: number;
  counts: CaseCounts;
  callsApi?: boolean;
  loads: LoadFigures[];
  cpu: CpuFigures;
}

/** All figures that a run of the bench measures. */
export interface Figures {
  cases: CaseFigures[];
  bundles: AllBundles;
  delivery: DeliveryFigures | undefined;
  additions: AdditionFigures | undefined;
}
