/** The maximum number of records of an export. */
export const MAX_ROWS = 50_000;
