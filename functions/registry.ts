import type { Area } from './kernel/area.ts';
import { organizationsArea } from './organizations/area.ts';
import { referenceArea } from './reference/area.ts';

/** All areas of the service. */
export const areas: readonly Area[] = [organizationsArea, referenceArea];
