import * as z from 'zod';

/** Maximum number of evaluations in one call. */
export const MAX_EVALUATIONS = 100;
/** Maximum number of results on a page of a search. */
export const MAX_RESULTS = 100;

const text = z.string().min(1).max(1_024);
const properties = z.record(z.string(), z.unknown()).optional();

/** A subject or a resource (Authorization API 1.0 sections 5.1 and 5.2). */
const Entity = z.object({ type: text, id: text, properties });
/** The subject or resource that a search looks for; its id is ignored. */
const SearchedEntity = z.object({ type: text, properties });
const Action = z.object({ name: text, properties });
const Context = z
  .looseObject({ organization_id: text.optional() })
  .describe('`organization_id` names the organization; other fields are ignored.');

const members = { subject: Entity, action: Action, resource: Entity, context: Context.optional() };

/** One evaluation (section 6.1). */
export const Evaluation = z.object(members).meta({ id: 'XAuthZenEvaluation' });

const Decision = z.object({ decision: z.boolean() }).meta({ id: 'XAuthZenDecision' });

export const EvaluationResult = Decision;

/**
 * Many evaluations with their defaults (section 7.1). Each entry is checked separately, since an invalid entry results in a
 * denial.
 */
export const Evaluations = z
  .object({
    subject: Entity.optional(),
    action: Action.optional(),
    resource: Entity.optional(),
    context: Context.optional(),
    evaluations: z
      .array(z.record(z.string(), z.unknown()))
      .max(MAX_EVALUATIONS)
      .optional()
      .describe(
        'Fields that an entry omits are taken from those next to `evaluations`. Without entries, the fields next to `evaluations` are one evaluation.',
      ),
    options: z
      .looseObject({
        evaluations_semantic: z
          .enum(['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'])
          .default('execute_all'),
      })
      .optional(),
  })
  .meta({ id: 'XAuthZenEvaluations' });

const EntryResult = z.object({
  decision: z.boolean(),
  context: z.object({ error: z.object({ status: z.number(), message: z.string() }) }).optional(),
});

export const EvaluationsResult = z
  .object({ decision: z.boolean().optional(), evaluations: z.array(EntryResult).optional() })
  .meta({ id: 'XAuthZenDecisions' });

const page = z
  .object({ token: z.string().max(1_024).optional(), limit: z.int().min(1).optional() })
  .optional()
  .describe(
    `The page to return: its size, at most ${MAX_RESULTS} results, and its token. Send a token only with an otherwise unchanged request.`,
  );

export const SearchSubject = z
  .object({ ...members, subject: SearchedEntity, page })
  .meta({ id: 'XAuthZenSubjectSearch' });
export const SearchResource = z
  .object({ ...members, resource: SearchedEntity, page })
  .meta({ id: 'XAuthZenResourceSearch' });
export const SearchAction = z
  .object({ subject: Entity, resource: Entity, context: Context.optional(), page })
  .meta({ id: 'XAuthZenActionSearch' });

const pageOfResults = z.object({
  next_token: z.string().describe('The token of the next page; empty on the last one.'),
  count: z.int().describe('The number of results on this page.'),
});

export const FoundEntities = z
  .object({ page: pageOfResults, results: z.array(z.object({ type: z.string(), id: z.string() })) })
  .meta({ id: 'XAuthZenEntities' });
export const FoundActions = z
  .object({ page: pageOfResults, results: z.array(z.object({ name: z.string() })) })
  .meta({ id: 'XAuthZenActions' });

/** The metadata of the policy decision point (section 9.1). */
export const Configuration = z
  .object({
    policy_decision_point: z.string(),
    access_evaluation_endpoint: z.string(),
    access_evaluations_endpoint: z.string(),
    search_subject_endpoint: z.string(),
    search_resource_endpoint: z.string(),
    search_action_endpoint: z.string(),
  })
  .meta({ id: 'XAuthZenConfiguration' });

export type EvaluationRequest = z.output<typeof Evaluation>;
export type EntityReference = Pick<EvaluationRequest['subject'], 'type' | 'id'>;
export type ContextGiven = EvaluationRequest['context'];
