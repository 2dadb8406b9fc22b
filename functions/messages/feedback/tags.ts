/** The tags with which SES identifies a mail. SES accepts ASCII letters, digits, `_` and `-` in names and values. */
export const TAGS = { environment: 'gatehouse_environment', message: 'gatehouse_message' } as const;
