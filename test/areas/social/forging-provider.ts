import { afterAll } from '@jest/globals';

import { type ForgingProvider, startForgingProvider } from '../../support/forging-provider.ts';

export type { ProviderResponse, ForgingProvider } from '../../support/forging-provider.ts';

const opened = new Set<ForgingProvider>();
afterAll(() => Promise.all([...opened].map((provider) => provider.close())));

/** Starts a provider; closed with the test file. */
export async function forgingProvider(): Promise<ForgingProvider> {
  const provider = await startForgingProvider();
  opened.add(provider);
  return provider;
}
