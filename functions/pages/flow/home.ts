import { defaultRedirectUri } from '../../client-settings/public.ts';

/** The address of an environment's application, derived from its default redirect URI. */
export async function homeOf(environmentId: string): Promise<string | undefined> {
  const uri = await defaultRedirectUri(environmentId);
  return uri !== undefined && /^https?:/.test(uri) ? new URL(uri).origin : undefined;
}
