import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { cached, install } from '../clients/cache.ts';

/**
 * Downloads packages of Debian and unpacks them into a folder of the cache; nothing is installed.
 * @returns the folder, in which the packages' files have the same paths as below `/`
 * @throws {Skipped} without apt and dpkg, or their archive
 */
export async function debianPackages(name: string, packages: readonly string[], pin: string): Promise<string> {
  return cached(name, [pin], async (target) => {
    await install('apt-get', ['download', '--quiet', ...packages], { cwd: target });
    for (const file of readdirSync(target).filter((one) => one.endsWith('.deb'))) {
      await install('dpkg', ['-x', join(target, file), target]);
    }
  });
}
