import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { operation } from '../../../kernel/operation.ts';
import { findOrganization, organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { loadModel, loadRoles } from '../../../tenancy/roles/public.ts';
import { mayHaveSeveral } from '../check/membership.ts';
import { computePosition } from '../export/rules.ts';
import { ExportPage } from '../export/schema.ts';
import { exportPage, invalidCursor } from '../export/sections.ts';
import { fgaType, partOf, listRelations, typeDefinitions } from './rules.ts';
import { FgaModel, FgaTuples, GetFgaModel } from './schema.ts';
import { tupleSections } from './tuples.ts';

const getFgaModel = operation({
  id: 'x_authorization.openfga_model',
  method: 'GET',
  path: '/x/authorization/openfga/model',
  summary: 'Export the model as an authorization model of OpenFGA',
  description:
    'Returns JSON of schema 1.1: a type for each resource type, a relation for each role on the resources of its type, ' +
    'and a relation for each permission that a role has there. `permissions` and `roles` map their slugs to the relations. A permission without a relation on a type is denied there. With `organization_id` the organization’s own roles are ' +
    'included.',
  auth: apiKey,
  operator: 'config.read',
  query: GetFgaModel,
  responses: { 200: FgaModel },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, fail }) {
    const { organization_id: organizationId } = query;
    if (organizationId !== undefined && (await findOrganization(environmentId, organizationId)) === undefined) {
      throw fail(organizationNotFound);
    }
    const model = organizationId === undefined ? await loadModel(environmentId) : undefined;
    const part = partOf(
      model === undefined ? await loadRoles(environmentId, organizationId ?? '') : { ...model, model },
    );
    const relations = listRelations(part);
    const named = (names: ReadonlyMap<string, string>, records: Iterable<{ id: string; slug: string }>) =>
      [...records].map(({ id, slug }) => ({ relation: names.get(id) ?? id, slug }));
    const body = {
      object: 'openfga_model' as const,
      authorization_model: { schema_version: '1.1' as const, type_definitions: typeDefinitions(part) },
      types: [...part.types.keys()].map((slug) => ({ type: fgaType(slug), resource_type_slug: slug })),
      permissions: named(relations.permissions, part.permissions.values()),
      roles: named(relations.roles, part.roles.values()),
    };
    return { status: 200, body };
  },
});

const listFgaTuples = operation({
  id: 'x_authorization.openfga_tuples',
  method: 'GET',
  path: '/x/authorization/organizations/{organization_id}/openfga/tuples',
  summary: 'Export the resources, groups and assignments of an organization as tuples of OpenFGA',
  description:
    'With these tuples and the model of `GET /x/authorization/openfga/model` for the organization, OpenFGA makes the same decisions as the checks of this service. Objects are `<type>:<resource id>`, ' +
    'users `organization_membership:<id>` and `group:<id>#member`. Only active memberships are exported. The lists may ' +
    'lag behind changes for a moment: export while nothing is changed.',
  auth: apiKey,
  query: ExportPage,
  responses: { 200: FgaTuples },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail, invalid }) {
    const { organization_id: organizationId } = params;
    const [organization, roles, isMultiple] = await awaitAll([
      findOrganization(environmentId, organizationId),
      loadRoles(environmentId, organizationId),
      mayHaveSeveral(environmentId),
    ]);
    if (organization === undefined) throw fail(organizationNotFound);
    const sections = tupleSections({ environmentId, organizationId, roles, isMultiple });
    const from = query.after === undefined ? undefined : computePosition(query.after, sections);
    if (query.after !== undefined && from === undefined) throw invalid([invalidCursor]);
    const { lines, next } = await exportPage(sections, from, query.limit);
    return { status: 200, body: { object: 'list' as const, data: lines, list_metadata: { after: next } } };
  },
});

/** Operations that export to OpenFGA. */
export const fgaOperations = [getFgaModel, listFgaTuples] as const;
