import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { cached, install } from '../cache.ts';
import type { Client } from '../client.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** npm `@modelcontextprotocol/sdk`, which finds the authorization server of an MCP server, registers and signs in. */
export const mcp: Client = {
  name: 'mcp',
  title: 'Model Context Protocol, @modelcontextprotocol/sdk 1.32.2',
  prepare: async () => {
    const pins = ['package.json', 'package-lock.json'].map((name) => join(folder, name));
    const installed = await cached('mcp', pins, async (target) => {
      for (const name of ['package.json', 'package-lock.json']) cpSync(join(folder, name), join(target, name));
      const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
      await install('npm', [...args, '--cache', join(target, '.npm')], { cwd: target });
    });
    return {
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', join(folder, 'flows.ts')],
      env: { GATEHOUSE_MCP_SDK: join(installed, 'node_modules', '@modelcontextprotocol', 'sdk', 'dist', 'esm') },
    };
  },
};
