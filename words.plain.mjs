import { names } from './words.names.mjs';

/**
 * `words/plain`: texts, test titles and comments use plain technical English, the words of the RFCs, of AWS and of the contract.
 * Every idiom has the words that replace it in its message. `words/sentence`: a comment does not begin with a clause that
 * depends on nothing. `words/names` is in words.names.mjs. oxlint loads the rules as a plugin.
 */
const IDIOMS = [
  ['whoever|whomever|whom', 'the user who, the caller, the person who'],
  ['somebody|nobody|anybody|everybody', 'a user, no user, any caller, every user'],
  ['for good', 'permanently'],
  ['as good as', 'treated as'],
  ['stands?|stood', 'is'],
  ['kill(?:s|ed|ing)?(?! -9)', 'invalidate'],
  ['alone', 'only'],
  ['(?:is|are) none of', 'is not one of'],
  ['tells?|told|telling|untold', 'report, inform, notify, reveal, send'],
  ['besides?', 'next to, also, in addition'],
  ['telephones?', 'phone, phone number'],
  ['refus\\w*', 'reject'],
  ['hopeless|farewell', 'a literal name'],
  ['ways? (?:to|of) sign\\w*|closed way', 'sign-in method'],
  ['under way', 'in progress'],
  ['anew', 'again, recreated, restarted'],
  ['lets? (?:\\w+ )?in|gets? in', 'accept, sign in'],
  ['goes on|went on', 'continues'],
  ['says so', 'reports it, contains it'],
  ['held to', 'must use, must meet'],
  ['of other people', 'of other users, of another party'],
  ['(?:switch|turn)(?:es|ed|ing)? (?:it |them )?(?:on|off)', 'enable, disable, activate'],
  ['one (?:Query|GetItem|write) a(?= \\w)', 'one Query for each page'],
  ['goes? round|gets? round', 'bypass'],
  ['plays the|the story', 'runs the scenario'],
  ['meanwhile', 'until then, between the two calls, at the same time'],
  ['judge(?:s|d|ments?)?|judging', 'decide, check, verify'],
  ['answer(?:ed|ing)|answers? \\d{3}|an answer without', 'respond, got a response'],
].map(([words, instead]) => ({ pattern: new RegExp(`\\b(?:${words})\\b`, 'i'), instead }));

/** Shorter texts are names, codes or parts of a query. */
const FEWEST_WORDS = 3;

const TESTS = new Set(['describe', 'it', 'test']);

/** Reports whether an expression is `test`, `it.each([...])`, `describe.each` and the like. */
function isTest(callee) {
  if (callee.type === 'CallExpression') return isTest(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return isTest(callee.tag);
  if (callee.type === 'MemberExpression') return isTest(callee.object);
  return callee.type === 'Identifier' && TESTS.has(callee.name);
}

const partsOf = (node) => {
  if (node?.type === 'TemplateLiteral') return node.quasis.map((quasi) => quasi.value.cooked ?? '');
  return node?.type === 'Literal' && typeof node.value === 'string' ? [node.value] : [];
};

/** The prose of a comment: without the codes and names that it quotes, and without directives. */
const proseOf = (comment) => (/^\s*eslint-/.test(comment) ? '' : comment.replace(/`[^`]*`/g, '``'));

const plain = {
  meta: {
    type: 'suggestion',
    schema: [
      {
        type: 'object',
        properties: { in: { type: 'array', items: { enum: ['texts', 'titles', 'comments'] } } },
        additionalProperties: false,
      },
    ],
    messages: { idiom: '"{{ word }}" is not plain English here. Use: {{ instead }}.' },
  },
  create(context) {
    const places = new Set(context.options[0]?.in ?? ['texts', 'titles', 'comments']);
    const check = (node, text) => {
      for (const { pattern, instead } of IDIOMS) {
        const [word] = pattern.exec(text) ?? [];
        if (word !== undefined) context.report({ loc: node.loc, messageId: 'idiom', data: { word, instead } });
      }
    };
    const checkText = (node) => {
      for (const text of partsOf(node)) if (text.trim().split(/\s+/).length >= FEWEST_WORDS) check(node, text);
    };
    return {
      ...(places.has('texts') && { Literal: checkText, TemplateLiteral: checkText }),
      ...(places.has('titles') && {
        CallExpression: ({ callee, arguments: [title] }) => {
          if (isTest(callee)) for (const text of partsOf(title)) check(title, text);
        },
      }),
      ...(places.has('comments') && {
        Program: () => {
          for (const comment of context.sourceCode.getAllComments()) check(comment, proseOf(comment.value));
        },
      }),
    };
  },
};

/** A comment without its markup. */
const textOf = (comment) => proseOf(comment).replace(/^[\s*]+/, '');

/**
 * "What a caller sends.", "Of a test: …", "Absent while …" and "RFC 6749: …" have no main clause. "What is missing is an error." has one, but
 * reads badly as well.
 */
const HEADLESS =
  /^(?:(?:What|Whatever|Who|Whose|Whom|Whoever|Whether|With whom|How|Of|Those|Absent)\b|(?:RFC \d+|ISO 8601)(?: section \d+(?:\.\d+)*)?(?::|\.(?!\d)))/;

const sentence = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      headless:
        '"{{ word }}" begins a clause without a main clause. Write a sentence or name the thing: "Reports whether …", "True if …", "The rows of …".',
    },
  },
  create: (context) => ({
    Program: () => {
      const comments = context.sourceCode.getAllComments();
      for (const [at, comment] of comments.entries()) {
        const before = comments[at - 1];
        const goesOn =
          comment.type === 'Line' && before?.type === 'Line' && before.loc.end.line === comment.loc.start.line - 1;
        const [word] = HEADLESS.exec(textOf(comment.value)) ?? [];
        if (word !== undefined && !goesOn) context.report({ loc: comment.loc, messageId: 'headless', data: { word } });
      }
    },
  }),
};

/** Reports a node that matches one of the selectors of its options, as `no-restricted-syntax` of ESLint does. */
const syntax = {
  meta: {
    type: 'problem',
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { selector: { type: 'string' }, message: { type: 'string' } },
        required: ['selector', 'message'],
        additionalProperties: false,
      },
    },
  },
  create: (context) =>
    Object.fromEntries(
      context.options.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
};

/**
 * Finds the idioms of a Markdown text: in its prose, without code and link targets.
 * @returns {{ line: number, word: string, instead: string }[]} each with its line, counted from 1
 */
export function findIdioms(markdown) {
  let isCode = false;
  return markdown.split('\n').flatMap((line, at) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    if (isCode || isFence) return [];
    const prose = proseOf(line).replace(/\]\([^)]*\)/g, ']');
    return IDIOMS.flatMap(({ pattern, instead }) => {
      const [word] = pattern.exec(prose) ?? [];
      return word === undefined ? [] : [{ line: at + 1, word, instead }];
    });
  });
}

export default { meta: { name: 'words' }, rules: { plain, sentence, names, syntax } };
