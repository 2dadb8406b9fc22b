import * as z from 'zod';

/** Methods by which accounts authenticate with a provider. */
export const AuthMethod = z.enum(['oauth', 'api_key', 'client_credentials']);
export type AuthMethod = z.output<typeof AuthMethod>;
