import { expect, test } from '@jest/globals';

import { AREA_NAMES } from '../../functions/kernel/area-names.ts';
import { OPERATOR_PERMISSIONS, requiredPermission } from '../../functions/kernel/authentication/operator-permission.ts';
import { acceptsOperators, operatorTable } from '../../lib/openapi/operator-table.ts';
import { OPERATIONS } from '../../functions/faces/console/operation-table.ts';
import { areas } from '../../functions/registry.ts';

const operations = areas.flatMap((area) => area.operations).filter(acceptsOperators);

test('the committed table of the permissions that operations require of operators is up to date', () => {
  expect(OPERATIONS).toEqual(operatorTable(areas));
});

test('operators may call an operation whose response exposes a credential only if the credential is removed, or to reveal it', () => {
  const open = operations.filter(
    (operation) => operation.exposesCredential === true && requiredPermission(operation) !== 'never',
  );
  expect(open.map(({ id, operator }) => `${id} ${operator ?? ''}`).sort()).toEqual([
    'action_endpoints.get config.read',
    'action_endpoints.list config.read',
    'invitations.get people.read',
    'invitations.list people.read',
    'vault.objects.read secrets.reveal',
    'vault.objects.read_by_name secrets.reveal',
    'webhook_endpoints.get config.read',
    'webhook_endpoints.list config.read',
  ]);
});

test('an API key can be limited to each area of the service', () => {
  expect([...AREA_NAMES]).toEqual(areas.map(({ name }) => name).sort());
});

test('no operation that changes something is open to operators who may only read', () => {
  const asking = ['POST', 'PUT', 'PATCH', 'DELETE'];
  const open = operations.filter(
    (operation) => asking.includes(operation.method) && /\.read$/.test(requiredPermission(operation)),
  );
  expect(open.map(({ id }) => id).sort()).toEqual([
    'audit_logs.create_export',
    'authorization.check',
    'authzen.evaluation',
    'authzen.evaluations',
    'authzen.search_action',
    'authzen.search_resource',
    'authzen.search_subject',
    'feature_flags.evaluate',
    'feature_flags.evaluate_all',
    'jwt_template.preview',
    'radar.simulate',
    'resource_exports.create',
    'resource_exports.delete_file',
    'resource_exports.download',
    'x_authorization.check_many',
    'x_authorization.explain',
  ]);
});

test('operations that act as a person or an application are open to no operator', () => {
  for (const id of [
    'agent_blueprints.mint_token',
    'api_keys.validate',
    'auth_challenges.verify',
    'auth_factors.enroll',
    'client.token',
    'data_integrations.get_access_token',
    'data_integrations.vend_credentials',
    'email_verification.confirm',
    'invitations.accept',
    'invitations.get_by_token',
    'magic_auth.create',
    'magic_auth.get',
    'password_reset.confirm',
    'password_reset.create',
    'platform_keys.create',
    'portal.generate_link',
    'users.create_account_link',
    'vault.data_keys.create',
    'vault.data_keys.decrypt',
    'widgets.token',
  ]) {
    expect([id, OPERATIONS[id]?.[2]]).toEqual([id, 'never']);
  }
});

test('deletions, and acts on keys and secrets, ask for a step-up everywhere; other configuration does in production', () => {
  const open = Object.entries(OPERATIONS).filter(([, [, , permission]]) => permission !== 'never');
  for (const [id, [method, path, permission, stepUp]] of open) {
    const isGrave = method === 'DELETE' || path.includes('/api_keys') || /^secrets\.|^destroy$/.test(permission);
    if (isGrave && (method !== 'GET' || permission === 'secrets.reveal')) expect([id, stepUp]).toEqual([id, 'always']);
    else if (permission === 'config.change') expect([id, stepUp]).toEqual([id, 'production']);
  }
  const find = (wanted: string): string[] => open.filter(([, entry]) => entry[3] === wanted).map(([id]) => id);
  expect(find('always')).toEqual(
    expect.arrayContaining(['auth_factors.delete', 'api_keys.expire', 'vault.objects.read', 'users.delete']),
  );
  expect(find('always')).not.toContain('users.update');
  expect(find('production')).toContain('sso_policy.update');
});

test('every permission of operators is required by an operation', () => {
  const asked = new Set(operations.map(requiredPermission));
  expect(OPERATOR_PERMISSIONS.filter((permission) => !asked.has(permission))).toEqual([]);
});
