import { organizationSamples } from './organizations.ts';
import type { AreaSamples } from './sample.ts';

/** The samples of areas by their names; an area whose schemas say enough needs none. */
export const samples: Readonly<Record<string, AreaSamples>> = {
  organizations: organizationSamples,
};
