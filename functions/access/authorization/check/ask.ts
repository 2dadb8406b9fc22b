import type { Permission } from '../../../tenancy/roles/public.ts';
import { ORGANIZATION_TYPE } from '../resource/rules.ts';
import type { Named } from '../resource/schema.ts';
import { locate, type Node } from './chain.ts';
import { Facts, type Needs, noNeeds } from './facts.ts';
import { type Held, heldOn } from './held.ts';

/** A question about one membership. */
export interface Question {
  named: Named;
  /** The slug of the permission; if absent, all permissions are returned. */
  permission?: string | undefined;
}

/** The result of a question. */
export interface Finding {
  permission: Permission | undefined;
  /** The resources from the named one up to its organization; fewer if a role on the first ones decides. */
  chain: readonly Node[];
  /** The roles that count for a check, on the resource and those above it. */
  held: readonly Held[];
  /** True if the membership is active and one of the roles has the permission. */
  isAuthorized: boolean;
}

/** The facts that were read, and the findings in the order of the questions; undefined for missing records. */
export interface Inquiry {
  facts: Facts;
  findings: (Finding | undefined)[];
}

/**
 * Decides questions about one membership. It takes one wave of parallel reads if this instance has seen the membership and
 * the resources, otherwise two or three. Read units: one each for membership, organization, the head of the model, the
 * resource, each resource above it and each group, and those of the membership's partition.
 * @param isWhole true if all roles are needed, not only one that decides
 */
export async function ask(
  environmentId: string,
  membershipId: string,
  questions: readonly Question[],
  { isWhole = false } = {},
): Promise<Inquiry> {
  const facts = new Facts(environmentId, membershipId);
  await facts.begin(
    questions.map(({ named }) => named),
    { isWhole },
  );
  for (;;) {
    const needs = noNeeds();
    const findings = decideAll(facts, questions, needs, isWhole);
    const unread = isAnything(needs) ? [] : unreadNodes(facts, findings);
    if (unread.length > 0) await facts.readFurther(unread);
    else if (isAnything(needs)) await facts.fetch(needs);
    else {
      facts.note();
      return { facts, findings };
    }
  }
}

/** Decides questions by the facts, and adds missing rows to the needs of the next wave of reads. */
function decideAll(facts: Facts, questions: readonly Question[], needs: Needs, isWhole: boolean): Inquiry['findings'] {
  const isAbsent = facts.membership === undefined || (facts.isOrganizationRead && facts.organization === undefined);
  if (isAbsent) return questions.map(() => undefined);
  needs.organization = !facts.isOrganizationRead;
  needs.roles = facts.needsOwnRoles;
  if (isWhole) addSheets(facts, needs);
  return questions.map((question) => decide(facts, question, needs, isWhole));
}

function addSheets({ holdings, sheets }: Facts, needs: Needs): void {
  for (const id of holdings.groups) if (!sheets.has(id)) needs.sheets.add(id);
}

/** All assignments of a membership, from every source; undefined if the membership or the organization does not exist. */
export const readFacts = async (environmentId: string, membershipId: string): Promise<Facts> =>
  (await ask(environmentId, membershipId, [], { isWhole: true })).facts;

const isAnything = ({ ids, places, sheets, organization, roles }: Needs): boolean =>
  ids.size + places.size + sheets.size > 0 || organization || roles;

/** Resources on which the grants of a membership with many grants are not read yet. */
function unreadNodes(facts: Facts, findings: Inquiry['findings']): string[] {
  const { heldOn: read } = facts;
  if (read === undefined) return [];
  const nodes = findings.flatMap((finding) => (finding?.isAuthorized === true ? [] : (finding?.chain ?? [])));
  const below = nodes.filter(({ typeSlug }) => typeSlug !== ORGANIZATION_TYPE);
  return [...new Set(below.map(({ id }) => id))].filter((id) => !read.has(id));
}

function decide(facts: Facts, question: Question, needs: Needs, isWhole: boolean): Finding | undefined {
  const permission =
    question.permission === undefined ? undefined : facts.model.permissionsBySlug.get(question.permission);
  if (question.permission !== undefined && permission === undefined) return undefined;
  const further = noNeeds();
  const place = locate(facts, question.named, further);
  if (place.kind === 'absent') return undefined;
  const chain = place.kind === 'found' ? place.chain : place.known;
  const held = heldOn(facts, chain);
  const hasPermission = permission !== undefined && held.some(({ role }) => role.permissionIds.has(permission.id));
  const finding = { permission, chain, held, isAuthorized: hasPermission && facts.membership?.status === 'active' };
  if (finding.isAuthorized && !isWhole && isCertain(facts, finding)) return finding;
  addSheets(facts, needs);
  for (const id of further.ids) needs.ids.add(id);
  for (const [key, named] of further.places) needs.places.set(key, named);
  return finding;
}

/**
 * Reports whether a positive result is final whatever the remaining reads return. It is not if a membership has only one
 * role at its organization and a group may give it another one that replaces it.
 */
const isCertain = ({ isMultiple }: Facts, { permission, held }: Finding): boolean =>
  held.some(
    ({ role, node }) =>
      permission !== undefined &&
      role.permissionIds.has(permission.id) &&
      (isMultiple || node.typeSlug !== ORGANIZATION_TYPE),
  );
