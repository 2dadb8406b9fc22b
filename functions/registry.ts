import type { Area } from './kernel/area.ts';

/** All areas of the service. */
export const areas: readonly Area[] = [];
