import { expect, test } from '@jest/globals';
import { build } from 'esbuild';

import { builtInProvider, builtInSlugs, isBuiltIn } from '../../functions/connections/pipes/catalogue/catalogue.ts';
import { lean } from '../../lib/stack/lean.ts';

test('a bundle returns every provider as its file declares it, and no others', async () => {
  const { outputFiles } = await build({
    entryPoints: ['functions/connections/pipes/catalogue/catalogue.ts'],
    write: false,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    plugins: [lean],
  });
  const text = outputFiles.map((file) => file.text).join('');
  const url = `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`;
  const bundled = (await import(url)) as { [name: string]: unknown } & {
    builtInProvider: typeof builtInProvider;
    isBuiltIn: typeof isBuiltIn;
    builtInSlugs: typeof builtInSlugs;
  };
  expect(bundled.builtInSlugs).toEqual(builtInSlugs);
  for (const slug of [...builtInSlugs, 'nobody', 'constructor', '__proto__']) {
    expect(bundled.isBuiltIn(slug)).toBe(isBuiltIn(slug));
    expect(await bundled.builtInProvider(slug)).toEqual(await builtInProvider(slug));
  }
  expect(text.length).toBeLessThan(16_000);
});
