import { ACCOUNT, shellOf } from './aws.ts';
import { root, run } from '../clients/cache.ts';
import { until } from '../soak/scenario.ts';
import type { DeployedStage } from './stage.ts';
import { must, type Steps } from './steps.ts';

/** Time limit in ms for a revocation, since a key is cached for five seconds. */
const REVOCATION_LIMIT_MS = 30_000;

/** Runs `npm run keys` and `npm run environments` against the deployed tables. */
export const commands = (steps: Steps, { aws, stage, environmentId, connection }: DeployedStage) =>
  steps.flow('commands on the stage', async (step) => {
    const npm = async (script: string, ...args: string[]): Promise<string> => {
      const env = { ...shellOf(aws.endpoint), CDK_DEFAULT_ACCOUNT: ACCOUNT };
      const all = ['run', '--silent', script, '--', ...args, '--stage', stage];
      const { code, output } = await run('npm', all, { cwd: root, env });
      if (code !== 0) throw new Error(`npm ${all.join(' ')} ended with ${code}: ${output.slice(-800)}`);
      return output;
    };
    const created = await step('keys -- create', () => npm('keys', 'create', '--environment', environmentId));
    const key = /sk_\w+/.exec(created)?.[0] ?? '';
    const keyId = /Id: (\S+)/.exec(created)?.[1]?.replace(/\.$/, '') ?? '';
    const statusWith = async (one: string): Promise<number> =>
      (await connection.send({ method: 'GET', path: '/organizations', key: one })).status;
    await step('the key is accepted', async () => must((await statusWith(key)) === 200, created));
    await step('keys -- list', async () => {
      const listed = await npm('keys', 'list', '--environment', environmentId);
      must(listed.includes(keyId) && listed.includes('First key'), listed);
    });
    await step('keys -- revoke', () => npm('keys', 'revoke', keyId, '--environment', environmentId));
    await step('the revoked key is rejected', () =>
      until(
        'the rejection',
        REVOCATION_LIMIT_MS,
        () => statusWith(key),
        (status) => status === 401,
      ),
    );
    const team = await step('environments -- create', () => npm('environments', 'create', 'Team A'));
    const teamKey = /sk_\w+/.exec(team)?.[0] ?? '';
    const teamId = /environment_\w+/.exec(team)?.[0] ?? '';
    await step('its key sees nothing of the first environment', async () => {
      const { data } = await connection.demand<{ data: object[] }>({
        method: 'GET',
        path: '/organizations',
        headers: { authorization: `Bearer ${teamKey}` },
        key: null,
      });
      must(data.length === 0, data);
    });
    await step('environments -- list', async () => {
      const listed = await npm('environments', 'list');
      must(listed.includes(teamId) && listed.includes(environmentId), listed);
    });
    await step('keys -- rotate-signing', () => npm('keys', 'rotate-signing', '--environment', teamId, '--compromised'));
    await step('environments -- delete', () => npm('environments', 'delete', teamId, '--yes'));
    await step('the deleted one is rejected', () =>
      until(
        'the rejection',
        REVOCATION_LIMIT_MS,
        () => statusWith(teamKey),
        (status) => status === 401,
      ),
    );
  });
