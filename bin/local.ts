import { enableCompileCache } from 'node:module';

// This comes before all other imports: the second start uses compiled code.
enableCompileCache();
const { runLocal } = await import('../lib/local/command.ts');
await runLocal(process.argv.slice(2));
