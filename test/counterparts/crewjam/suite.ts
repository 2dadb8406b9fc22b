import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cached, cacheFolder, install, run } from '../../clients/cache.ts';
import { beginSignIn, finishSignIn, ownKeys, responseIn } from '../service-provider.ts';
import type { Step, Suite } from '../suite.ts';

const folder = import.meta.dirname;
const SSO_URL = 'https://idp.example.com/sso';

interface SuiteResponses {
  readonly metadata: string;
  readonly pages: readonly string[];
}

/** Builds the program once. @throws {Skipped} without Go or its module proxy */
async function build(): Promise<string> {
  const env = {
    GOMODCACHE: join(cacheFolder, 'go-modules'),
    GOCACHE: join(cacheFolder, 'go-build'),
    GOFLAGS: '-modcacherw -buildvcs=false',
    GOTOOLCHAIN: 'local',
    GOTELEMETRY: 'off',
  };
  const pins = ['go.mod', 'go.sum', 'main.go'].map((name) => join(folder, name));
  const built = await cached('saml-crewjam', pins, async (target) => {
    await install('go', ['build', '-o', join(target, 'crewjam'), '.'], { cwd: folder, env });
  });
  return join(built, 'crewjam');
}

async function play(): Promise<readonly Step[]> {
  const program = await build();
  const { idp, sp } = ownKeys();
  const signIns = [beginSignIn('in clear', sp, false, SSO_URL), beginSignIn('encrypted', sp, true, SSO_URL)];
  const work = mkdtempSync(join(tmpdir(), 'gatehouse-crewjam-'));
  try {
    const [from, to] = [join(work, 'in.json'), join(work, 'out.json')];
    const requests = signIns.map(({ address }) => address);
    writeFileSync(from, JSON.stringify({ ...idp, requests, providers: signIns.map(({ metadata }) => metadata) }));
    const { code, output } = await run(program, [from, to]);
    if (code !== 0) throw new Error(output);
    const { metadata, pages } = JSON.parse(readFileSync(to, 'utf8')) as SuiteResponses;
    return signIns.flatMap((signIn, at) =>
      finishSignIn(signIn, metadata, responseIn(pages[at] ?? ''), sp, {
        email: 'ada@example.com',
        groups: ['engineers', 'owners'],
        groupsAttribute: 'eduPersonAffiliation',
      }),
    );
  } finally {
    rmSync(work, { recursive: true });
  }
}

/**
 * The identity provider of crewjam/saml in Go. It reads this service's metadata and requests, and this service reads its
 * metadata and responses.
 */
export const crewjam: Suite = { name: 'crewjam', title: 'Go, crewjam/saml 0.5.1', play };
