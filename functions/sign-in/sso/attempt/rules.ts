import type { AttemptRecord } from './entity.ts';

/** Reports whether an attempt is a successful test of a version of its connection. */
export const isTestOf = (
  version: number,
  { kind, outcome, connectionVersion }: Pick<AttemptRecord, 'kind' | 'outcome' | 'connectionVersion'>,
): boolean => kind === 'test' && outcome === 'succeeded' && connectionVersion === version;
