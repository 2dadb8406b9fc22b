/** The tags by which SES says of a mail whose it is. SES takes ASCII letters, digits, `_` and `-` in names and values. */
export const TAGS = { environment: 'gatehouse_environment', message: 'gatehouse_message' } as const;
