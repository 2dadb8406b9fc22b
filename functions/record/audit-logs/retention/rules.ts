import { DAY_MS } from '../../../kernel/durations.ts';
/** The retention periods of the contract in days: a month counts 30 days, a year 365. */
export const PERIODS = {
  '1_MONTH': 30,
  '2_MONTHS': 60,
  '3_MONTHS': 90,
  '4_MONTHS': 120,
  '5_MONTHS': 150,
  '6_MONTHS': 180,
  '7_MONTHS': 210,
  '8_MONTHS': 240,
  '9_MONTHS': 270,
  '10_MONTHS': 300,
  '11_MONTHS': 330,
  '1_YEAR': 365,
  '2_YEARS': 730,
  '3_YEARS': 1_095,
  '4_YEARS': 1_460,
  '5_YEARS': 1_825,
  '6_YEARS': 2_190,
  '7_YEARS': 2_555,
  '8_YEARS': 2_920,
  '9_YEARS': 3_285,
  '10_YEARS': 3_650,
} as const;

export type Period = keyof typeof PERIODS;
export const PERIOD_NAMES = Object.keys(PERIODS) as [Period, ...Period[]];
export const PERIOD_DAYS = Object.values(PERIODS);

/** Default retention in days. */
const DEFAULT_RETENTION_DAYS = 365;

/** Retention in days of an organization's events. */
export const effectiveDays = (trail: { retentionDays?: number | undefined } | undefined): number =>
  trail?.retentionDays ?? DEFAULT_RETENTION_DAYS;

/** The hour (ISO 8601 without minutes) from which events are kept; earlier hours are past their retention. */
export const oldestKeptHour = (now: number, days: number): string =>
  new Date(now - days * DAY_MS).toISOString().slice(0, 13);
