/** The states of a team's production that its platform sets; `Inactive` is the first one. */
export const PRODUCTION_STATES = ['Inactive', 'Active', 'Suspended'] as const;

export type ProductionState = (typeof PRODUCTION_STATES)[number];

/** The environments of a team. */
export const ENVIRONMENT_KINDS = ['staging', 'production'] as const;

export type EnvironmentKind = (typeof ENVIRONMENT_KINDS)[number];

/** Reports whether a text names an environment of a team. */
export const isEnvironmentKind = (text: string): text is EnvironmentKind =>
  (ENVIRONMENT_KINDS as readonly string[]).includes(text);
