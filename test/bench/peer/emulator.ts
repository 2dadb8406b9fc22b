/** Forked by the bench: runs the emulator of another project, which keeps everything in memory, and reports its address over IPC. */
import { pathToFileURL } from 'node:url';

/** The emulator's address and its keys. */
export interface ReadyPeer {
  url: string;
  keys: readonly string[];
}

/** The emulator's module, as its package declares it. */
interface Emulate {
  createEmulator: (options: {
    port: number;
    seed: { apiKeys: Record<string, { environment: string }> };
  }) => Promise<{ url: string }>;
}

/** The emulator takes 1,000 requests a minute and key, so it gets many keys. */
const KEYS = 1_000;

if (import.meta.main) {
  const [file = ''] = process.argv.slice(2);
  const { createEmulator } = (await import(pathToFileURL(file).href)) as Emulate;
  const keys = Array.from({ length: KEYS }, (_, at) => `sk_test_bench_${at}`);
  const apiKeys = Object.fromEntries(keys.map((key) => [key, { environment: 'test' }]));
  const { url } = await createEmulator({ port: 0, seed: { apiKeys } });
  process.send?.({ url, keys } satisfies ReadyPeer);
  // The channel closes when the bench ends for any reason.
  process.on('disconnect', () => process.exit(0));
}
