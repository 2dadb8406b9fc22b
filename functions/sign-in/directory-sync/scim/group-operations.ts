import type { Caller } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { Failure } from '../../../kernel/errors.ts';
import { scimErrors } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { DirectoryRecord } from '../directory/entity.ts';
import { startGroup, type StartedGroup } from '../group/creation.ts';
import { type DirectoryGroupRecord, directoryGroups, listMemberIds } from '../group/entity.ts';
import { applyMembers, checkMembers, LAST_SLICE } from '../group/members.ts';
import { stageEndOfGroup, stageGroupState, stageNewGroup } from '../group/stage.ts';
import { customAttributesChange } from '../user/remap.ts';
import { findCallersDirectory, directoryToken } from './authenticate.ts';
import { checked, commonErrors, scimNotFound, scimStale, scimTaken, searchErrors, writeErrors } from './errors.ts';
import { readMember, parseFilter, requiredValues } from './filter.ts';
import { applyPatch, type MemberDelta, noDelta } from './patch.ts';
import { isSelected, presentScimGroup, type ScimResource, select, type Selection, parseSelection } from './present.ts';
import { type Attributes, checkAttributes, memberIdsIn, readAttributes } from './resource.ts';
import { pageIn, ScimBody, ScimList, ScimQuery, ScimResource as Resource, ScimSelection } from './schema.ts';
import { presentPage, search } from './search.ts';
import { checkMemberTerms, scimGroupSource } from './sources.ts';
import { checkedAsync, checkVersion, hasVersion, makeHeaders } from './user-operations.ts';

const BASE = '/scim/v2.0/{externalKey}/Groups';

const common = { auth: directoryToken, errorForm: scimErrors, idempotency: 'none', beyondContract: true } as const;
const EVENTS = ['dsync.group.updated', 'dsync.group.user_added', 'dsync.group.user_removed'] as const;

/** Maximum members in a list of groups. A response with more has fewer groups, and the next page begins after them. */
const MOST_MEMBERS = 20_000;
const READ_AT_ONCE = 10;

async function findScimGroup(
  { environmentId, id: directoryId }: DirectoryRecord,
  id: string,
): Promise<DirectoryGroupRecord> {
  const group = await directoryGroups.get(environmentId, id);
  if (group?.directoryId !== directoryId) throw new Failure(scimNotFound);
  return group;
}

async function showGroup(
  directory: DirectoryRecord,
  group: DirectoryGroupRecord,
  selection: Selection,
): Promise<ScimResource> {
  const members = isSelected(selection, 'members') ? await listMemberIds(group.environmentId, group.id) : undefined;
  return select(presentScimGroup(directory, group, members), selection);
}

/** The groups of a response; fewer if their members are too many for one response. */
export async function showGroups(
  directory: DirectoryRecord,
  groups: readonly DirectoryGroupRecord[],
  selection: Selection,
): Promise<ScimResource[]> {
  const presented: ScimResource[] = [];
  let members = 0;
  for (let at = 0; at < groups.length && members < MOST_MEMBERS; at += READ_AT_ONCE) {
    const next = await awaitAll(
      groups.slice(at, at + READ_AT_ONCE).map((group) => showGroup(directory, group, selection)),
    );
    presented.push(...next);
    members += next.reduce((sum, { members: own }) => sum + (Array.isArray(own) ? own.length : 0), 0);
  }
  return presented;
}

/** A page of groups. */
async function searchGroups(directory: DirectoryRecord, asked: Record<string, unknown>) {
  const selection = parseSelection(asked.attributes, asked.excludedAttributes);
  const filter = typeof asked.filter === 'string' && asked.filter.trim() !== '' ? asked.filter : undefined;
  const source = scimGroupSource(directory);
  if (filter !== undefined) {
    const required = requiredValues(parseFilter(filter));
    const member = required.find(({ path }) => path === 'members.value');
    checkMemberTerms(filter, member !== undefined);
    if (member !== undefined) {
      // The index of members has found the groups, so the filter sees that member in each of them.
      const { idsWith, testable } = source;
      source.idsWith = (value) => (value.path === 'members.value' || value.path === 'id' ? idsWith(value) : undefined);
      const ids = new Set((await idsWith(member)) ?? []);
      source.testable = (record, terms) => ({
        ...testable(record, terms),
        members: ids.has(record.id) ? [{ value: member.value }] : [],
      });
    }
  }
  const found = await search(directory, source, { filter, page: pageIn(asked) });
  return presentPage(found, (records) => showGroups(directory, records, selection));
}

const listScimGroups = operation({
  ...common,
  id: 'scim.list_groups',
  method: 'GET',
  path: BASE,
  summary: 'List the groups of a directory',
  description:
    'Each group has its members, unless `excludedAttributes=members` is sent. Pages are requested by `startIndex` or by `cursor`.',
  query: ScimQuery,
  responses: { 200: ScimList },
  errors: [...commonErrors, ...searchErrors],
  emits: [],
  handle: async ({ caller, query }) => ({
    status: 200,
    body: await checkedAsync(() => searchGroups(findCallersDirectory(caller), query)),
  }),
});

const searchScimGroups = operation({
  ...common,
  id: 'scim.search_groups',
  method: 'POST',
  path: `${BASE}/.search`,
  summary: 'Search the groups of a directory',
  body: ScimBody,
  responses: { 200: ScimList },
  errors: [...commonErrors, ...searchErrors],
  emits: [],
  handle: async ({ caller, body }) => ({
    status: 200,
    body: await checkedAsync(() => searchGroups(findCallersDirectory(caller), body)),
  }),
});

interface NewGroup {
  group: DirectoryGroupRecord;
  /** Set if the group is committed already, before its members. */
  started?: StartedGroup;
}

/**
 * Creates a group in the call's own transaction, or before it if it has more members than that transaction has room for.
 */
async function newGroup(
  unit: Unit<'dsync.group.created'>,
  { actor }: Caller,
  directory: DirectoryRecord,
  { attributes, members, taken }: { attributes: Attributes; members: readonly string[]; taken: Failure },
): Promise<NewGroup> {
  if (members.length <= LAST_SLICE) return { group: stageNewGroup(unit, directory, attributes, taken) };
  const started = await unit.once('group', async () => {
    // Nothing is written if a member of the group does not exist.
    await checkedAsync(() => checkMembers(directory, members));
    return startGroup(directory, { attributes, members, actor, taken });
  });
  return { group: await findScimGroup(directory, started.groupId), started };
}

const createScimGroup = operation({
  ...common,
  id: 'scim.create_group',
  method: 'POST',
  path: BASE,
  summary: 'Create a group of a directory',
  description:
    'Its members are users of the directory. More than 24 members are added in several transactions; the response is sent after the last one. If such a call fails, the same request within an hour continues with the group that it created.',
  query: ScimSelection,
  body: ScimBody,
  responses: { 201: Resource },
  errors: [...commonErrors, ...writeErrors, scimNotFound, scimTaken],
  emits: ['dsync.group.created', ...EVENTS],
  async handle({ caller, query, body, unit, fail }) {
    const directory = findCallersDirectory(caller);
    const { attributes, delta } = checked(() => readGroup(body));
    const members = [...delta.added];
    const { group, started } = await newGroup(unit, caller, directory, { attributes, members, taken: fail(scimTaken) });
    const hasNewMembers = await checkedAsync(() =>
      applyMembers(unit, directory, group, { delta, actor: caller.actor }),
    );
    const record = started === undefined ? group : stageGroupState(unit, group, attributes, { hasNewMembers });
    started?.stageEnd(unit);
    const presented = presentScimGroup(directory, record, members);
    const { location } = presented.meta as { location: string };
    const selection = parseSelection(query.attributes, query.excludedAttributes);
    return { status: 201, body: select(presented, selection), headers: { location, ...makeHeaders(record) } };
  },
});

/** A group and its members in a body. @throws ScimProblem */
function readGroup(body: Record<string, unknown>): { attributes: Attributes; delta: MemberDelta } {
  const attributes = readAttributes('Group', body);
  checkAttributes('Group', attributes);
  const members = readMember(body, 'members');
  const delta = { ...noDelta(), added: new Set(memberIdsIn(members)) };
  return { attributes, delta };
}

const getScimGroup = operation({
  ...common,
  id: 'scim.get_group',
  method: 'GET',
  path: `${BASE}/{id}`,
  summary: 'Get a group of a directory',
  query: ScimSelection,
  responses: { 200: Resource, 304: null },
  errors: [...commonErrors, scimNotFound],
  emits: [],
  async handle({ caller, params, query, request }) {
    const directory = findCallersDirectory(caller);
    const { environmentId } = directory;
    const selection = parseSelection(query.attributes, query.excludedAttributes);
    // The members are read in parallel, unless the response may have none.
    const readsMembers = isSelected(selection, 'members') && request.headers['if-none-match'] === undefined;
    const [group, members] = await awaitAll([
      findScimGroup(directory, params.id),
      readsMembers ? listMemberIds(environmentId, params.id) : undefined,
    ]);
    if (hasVersion(request, group)) return { status: 304, headers: makeHeaders(group) };
    const body =
      members === undefined
        ? await showGroup(directory, group, selection)
        : select(presentScimGroup(directory, group, members), selection);
    return { status: 200, body, headers: makeHeaders(group) };
  },
});

/** The members of a group after a unit of work that is not committed yet. */
async function membersAfter(group: DirectoryGroupRecord, delta: MemberDelta): Promise<string[]> {
  if (delta.isReplaced) return [...delta.added];
  const members = new Set(await listMemberIds(group.environmentId, group.id));
  for (const id of delta.added) members.add(id);
  for (const id of delta.removed) members.delete(id);
  return [...members];
}

async function changeGroup(
  { unit, caller, selection }: { unit: Unit<(typeof EVENTS)[number]>; caller: Caller; selection: Selection },
  former: DirectoryGroupRecord,
  { attributes, delta }: { attributes: Attributes; delta: MemberDelta },
) {
  const directory = findCallersDirectory(caller);
  const hasNewMembers = await checkedAsync(() => applyMembers(unit, directory, former, { delta, actor: caller.actor }));
  const group = stageGroupState(unit, former, attributes, { hasNewMembers, taken: new Failure(scimTaken) });
  if (group.name !== former.name && directory.groupRoles.length > 0) {
    // Role mappings may also name a group by its name.
    const owner = ownerKey('organization', directory.organizationId);
    customAttributesChange.stage(unit, directory.environmentId, { directoryId: directory.id }, owner);
  }
  const members = isSelected(selection, 'members') ? await membersAfter(group, delta) : undefined;
  const body = select(presentScimGroup(directory, group, members), selection);
  return { status: 200 as const, body, headers: makeHeaders(group) };
}

const replaceScimGroup = operation({
  ...common,
  id: 'scim.replace_group',
  method: 'PUT',
  path: `${BASE}/{id}`,
  summary: 'Replace a group of a directory',
  description: 'Without `members` in the body the members are unchanged; an empty list removes all.',
  query: ScimSelection,
  body: ScimBody,
  responses: { 200: Resource },
  errors: [...commonErrors, ...writeErrors, scimNotFound, scimTaken, scimStale],
  emits: EVENTS,
  async handle({ caller, params, query, body, request, unit }) {
    const former = await findScimGroup(findCallersDirectory(caller), params.id);
    checkVersion(request, former);
    const { attributes, delta } = checked(() => readGroup(body));
    const isReplaced = Object.keys(body).some((name) => name.toLowerCase() === 'members');
    const selection = parseSelection(query.attributes, query.excludedAttributes);
    return changeGroup({ unit, caller, selection }, former, { attributes, delta: { ...delta, isReplaced } });
  },
});

const patchScimGroup = operation({
  ...common,
  id: 'scim.patch_group',
  method: 'PATCH',
  path: `${BASE}/{id}`,
  summary: 'Change a group of a directory',
  description: 'At most 1,000 operations. The response has a body only if `attributes` is sent.',
  query: ScimSelection,
  body: ScimBody,
  responses: { 200: Resource, 204: null },
  errors: [...commonErrors, ...writeErrors, scimNotFound, scimTaken, scimStale],
  emits: EVENTS,
  async handle({ caller, params, query, body, request, unit }) {
    const former = await findScimGroup(findCallersDirectory(caller), params.id);
    checkVersion(request, former);
    const patched = checked(() => {
      const result = applyPatch('Group', JSON.parse(former.resource) as Attributes, body);
      checkAttributes('Group', result.attributes);
      return result;
    });
    const selection = parseSelection(query.attributes, query.excludedAttributes);
    const change = { attributes: patched.attributes, delta: patched.members };
    // A provider that adds one member to a group of 10,000 does not need to get all of them (RFC 7644 section 3.5.2).
    if (selection.attributes !== undefined) return changeGroup({ unit, caller, selection }, former, change);
    const { headers } = await changeGroup(
      { unit, caller, selection: { attributes: ['id'], excluded: [] } },
      former,
      change,
    );
    return { status: 204, headers };
  },
});

const deleteScimGroup = operation({
  ...common,
  id: 'scim.delete_group',
  method: 'DELETE',
  path: `${BASE}/{id}`,
  summary: 'Delete a group of a directory',
  responses: { 204: null },
  errors: [...commonErrors, scimNotFound, scimStale],
  emits: ['dsync.group.deleted'],
  async handle({ caller, params, request, unit }) {
    const group = await findScimGroup(findCallersDirectory(caller), params.id);
    checkVersion(request, group);
    stageEndOfGroup(unit, group);
    return { status: 204 };
  },
});

/** The operations of SCIM on groups. */
export const scimGroupOperations = [
  listScimGroups,
  searchScimGroups,
  createScimGroup,
  getScimGroup,
  replaceScimGroup,
  patchScimGroup,
  deleteScimGroup,
] as const;
