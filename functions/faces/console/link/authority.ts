import { OPERATORS_ORGANIZATION_ID } from '../../../kernel/authentication/environment-id.ts';
import { clock } from '../../../kernel/clock.ts';
import { type Authority, type Denial, may, type MintingVerdict } from '../../../tenancy/modules/trust/public.ts';

/** The permission to make a link into the console, or a session of it. */
export type ConsoleVerdict = MintingVerdict;

/** By whose word the commands and the deployment of a stage make something: who has rights in AWS speaks for the environment. */
export const authorityOfStage = (): Authority => [{ method: 'aws', word: 'environment', at: clock.now() }];

/** Asks whether an authority may make a link into the console, or a session of it. */
export const admitConsole = (authority: Authority): ConsoleVerdict | Denial =>
  may(authority, { act: 'mint' as const, organizationId: OPERATORS_ORGANIZATION_ID });

/** The permission of the commands and the deployment, which need rights in AWS. */
export const admitStage = (): ConsoleVerdict => requireConsole(authorityOfStage());

/** The permission of an authority that always has it. */
export function requireConsole(authority: Authority): ConsoleVerdict {
  const asked = admitConsole(authority);
  if (!asked.isAllowed) throw new Error(`This word makes no link into the console: ${asked.reason}`);
  return asked;
}
