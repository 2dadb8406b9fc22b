import { enableCompileCache } from 'node:module';

// The compile cache is enabled before all other imports, so that later starts use compiled code from it.
enableCompileCache();
const { runLocal } = await import('../lib/local/command.ts');
await runLocal(process.argv.slice(2));
