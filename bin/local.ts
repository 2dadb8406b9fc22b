import { enableCompileCache } from 'node:module';

// This call comes before all other imports, so that later starts use compiled code from the cache.
enableCompileCache();
const { runLocal } = await import('../lib/local/command.ts');
await runLocal(process.argv.slice(2));
