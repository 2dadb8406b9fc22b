import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Failure, Issue } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { findOrganization, organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { loadRoles } from '../../../tenancy/roles/public.ts';
import { environmentSections, type Line } from './lines.ts';
import { organizationSections } from './organization-lines.ts';
import { computePosition } from './rules.ts';
import { ExportedLines, ExportPage } from './schema.ts';
import { exportPage, invalidCursor, type Section } from './sections.ts';

const ONE_LINE = 'Each entry is a line of a file for `npm run import`.';

/**
 * A page of an export.
 * @throws Failure for a cursor that no page contained
 */
async function pageOfLines(
  sections: readonly Section<Line>[],
  { after, limit }: { after?: string | undefined; limit: number },
  invalid: (issues: readonly Issue[]) => Failure,
) {
  const from = after === undefined ? undefined : computePosition(after, sections);
  if (after !== undefined && from === undefined) throw invalid([invalidCursor]);
  const { lines, next } = await exportPage(sections, from, limit);
  return { object: 'list' as const, data: lines, list_metadata: { after: next } };
}

const exportModel = operation({
  id: 'x_authorization.export',
  method: 'GET',
  path: '/x/authorization/export',
  summary: 'Export the model and the feature flags as lines of an import file',
  description: `Returns the resource types, permissions, roles and their order, flags and their targets, with their ids. ${ONE_LINE}`,
  auth: apiKey,
  operator: 'config.read',
  query: ExportPage,
  responses: { 200: ExportedLines },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, invalid }) {
    return { status: 200, body: await pageOfLines(await environmentSections(environmentId), query, invalid) };
  },
});

const exportOrganization = operation({
  id: 'x_authorization.export_organization',
  method: 'GET',
  path: '/x/authorization/organizations/{organization_id}/export',
  summary: 'Export the roles, resources, groups and assignments of an organization as lines of an import file',
  description:
    `The lines have ids. An environment that has the organization, its users and the model can import them in their order. ${ONE_LINE} ` +
    'The lists may lag behind changes for a moment: export while nothing is changed.',
  auth: apiKey,
  query: ExportPage,
  responses: { 200: ExportedLines },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail, invalid }) {
    const { organization_id: organizationId } = params;
    const [organization, roles] = await awaitAll([
      findOrganization(environmentId, organizationId),
      loadRoles(environmentId, organizationId),
    ]);
    if (organization === undefined) throw fail(organizationNotFound);
    const sections = organizationSections(environmentId, organizationId, roles);
    return { status: 200, body: await pageOfLines(sections, query, invalid) };
  },
});

/** Operations that export the lines of an import file. */
export const exportOperations = [exportModel, exportOrganization] as const;
