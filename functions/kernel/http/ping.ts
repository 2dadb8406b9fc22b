/** The event with which a deployment calls a new version of a function before it gets traffic. No trigger of a function sends it. */
export const PING = { gatehouse: 'ping' } as const;

/** Reports whether an invocation is {@link PING}. */
export const isPing = (event: unknown): boolean =>
  typeof event === 'object' && event !== null && (event as Partial<typeof PING>).gatehouse === PING.gatehouse;
