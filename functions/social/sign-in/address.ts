import type { AuthorizationRequest } from '../../authentication/public.ts';

/** Where the browser of a sign-in is sent to a provider: a path below the base URL. */
export const START_PATH = '/x/social/start';

/** The address of a provider's button. */
export const startAddress = ({ id }: Pick<AuthorizationRequest, 'id'>, provider: string): string =>
  `${START_PATH}?${new URLSearchParams({ flow: id, provider }).toString()}`;
