import type { Surroundings } from './surroundings.ts';

/** A page with sample values. */
export interface Sample {
  name: string;
  title: string;
  render: (surroundings: Surroundings, environmentId: string) => Promise<{ body: string }> | { body: string };
}

/** The address of the person in all samples. */
export const EMAIL = 'ada@acme.example';

/** The moment at which everything in the samples happened. */
export const AT = '2026-01-15T12:00:00.000Z';
