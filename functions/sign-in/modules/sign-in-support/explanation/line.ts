/** The subjects of lines, in the order in which a sign-in meets them. */
export const CHECKS = [
  'account',
  'method',
  'policy',
  'limit',
  'radar',
  'address',
  'message',
  'factor',
  'membership',
  'history',
] as const;

/**
 * The result of a line: `passed`; `asks` for a step that the user can take; `stops` the sign-in; `notice` for what may explain a
 * failure and stops nothing by itself.
 */
export const STATUSES = ['passed', 'asks', 'stops', 'notice'] as const;

/** The party that can change the cause of a line. */
export const CHANGED_BY = [
  'user',
  'operator',
  'organization_admin',
  'identity_provider',
  'environment',
  'time',
  'none',
] as const;

/** One line of an explanation. */
export interface Line {
  check: (typeof CHECKS)[number];
  status: (typeof STATUSES)[number];
  /** A stable code. */
  reason: string;
  message: string;
  /** The time of the cause (ISO 8601). */
  time?: string | undefined;
  /** The path of the operation that shows the record behind it. */
  source: string;
  changedBy: (typeof CHANGED_BY)[number];
  /** The next step. */
  remedy?: string | undefined;
}

/** Settings of sign-ins, as the source of a line. */
export const SETTINGS = '/x/authentication/settings';
