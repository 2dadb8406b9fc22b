/** `stopped`: by the person, with the link of the mail; `cancelled`: by an operator, or since its operator has no role any more. */
export const RESET_STATES = ['pending', 'done', 'stopped', 'cancelled'] as const;
