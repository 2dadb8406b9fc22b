import { defaultRedirectUri } from '../../client-settings/public.ts';

/** Where an environment's application is, as far as its default redirect URI tells. */
export async function homeOf(environmentId: string): Promise<string | undefined> {
  const uri = await defaultRedirectUri(environmentId);
  return uri !== undefined && /^https?:/.test(uri) ? new URL(uri).origin : undefined;
}
