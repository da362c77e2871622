// What the client from npm does in a case of the suite: an order per line comes in, what came of it goes out.
import { createInterface } from 'node:readline';

import OpenAI, { APIError, AzureOpenAI } from 'openai';

const messages = [{ role: 'user', content: 'Why is the sky blue?' }];

async function items(stream) {
  const found = [];
  for await (const item of await stream) {
    found.push(item);
  }
  return found;
}

const does = {
  async chat(client, given) {
    const reply = await client.chat.completions.create({ messages, ...given });
    const [choice] = reply.choices;
    return {
      model: reply.model,
      text: choice.message.content,
      finish: choice.finish_reason,
      completion_tokens: reply.usage.completion_tokens,
    };
  },

  async chat_stream(client, given) {
    const chunks = await items(client.chat.completions.create({ messages, stream: true, ...given }));
    const told = chunks.filter((chunk) => chunk.choices.length);
    const pieces = told.map((chunk) => chunk.choices[0].delta.content).filter((text) => text);
    return {
      pieces: pieces.length,
      text: pieces.join(''),
      ids: new Set(told.map((chunk) => chunk.id)).size,
      finish: told.at(-1).choices[0].finish_reason,
      completion_tokens: chunks.at(-1).usage.completion_tokens,
    };
  },

  async chat_stream_left(client, given) {
    let seen = 0;
    for await (const _ of await client.chat.completions.create({ messages, stream: true, ...given })) {
      seen += 1;
      if (seen === 3) {
        break;
      }
    }
    return { seen, then: (await does.chat(client, given)).completion_tokens };
  },

  async chat_many(client, given) {
    const calls = Array.from({ length: 20 }, () => client.chat.completions.create({ messages, ...given }));
    const replies = await Promise.all(calls);
    return {
      answers: replies.length,
      completion_tokens: [...new Set(replies.map((reply) => reply.usage.completion_tokens))],
      ids: new Set(replies.map((reply) => reply.id)).size,
    };
  },

  async embeddings(client, given) {
    const unasked = await client.embeddings.create(given);
    const floats = await client.embeddings.create({ ...given, encoding_format: 'float' });
    const near = (a, b) => a.length === b.length && a.every((one, index) => Math.abs(one - b[index]) < 1e-6);
    return {
      lengths: unasked.data.map((item) => item.embedding.length),
      same_as_floats: unasked.data.every((item, index) => near(item.embedding, floats.data[index].embedding)),
    };
  },

  async response(client, given) {
    const made = await client.responses.create(given);
    return { text: made.output_text, output_tokens: made.usage.output_tokens };
  },

  async response_life(client, given) {
    const made = await client.responses.create(given);
    const read = await client.responses.retrieve(made.id);
    const kept = await items(client.responses.inputItems.list(made.id));
    await client.responses.delete(made.id);
    const gone = await client.responses.retrieve(made.id).then(() => null, (error) => error.constructor.name);
    return {
      text: made.output_text,
      same_when_read: read.output_text === made.output_text,
      roles: kept.map((item) => item.role),
      gone,
    };
  },

  async response_chain(client, given) {
    const first = await client.responses.create(given);
    const second = await client.responses.create({ ...given, previous_response_id: first.id });
    return { longer: second.usage.input_tokens > first.usage.total_tokens };
  },

  async response_stream(client, given) {
    const events = await items(client.responses.create({ ...given, stream: true }));
    const numbers = events.map((event) => event.sequence_number);
    return {
      first: events[0].type,
      last: events.at(-1).type,
      counts_up: numbers.every((number, index) => number === numbers[0] + index),
      output_tokens: events.at(-1).response.usage.output_tokens,
      text: events.filter((event) => event.type === 'response.output_text.delta').map((event) => event.delta).join(''),
    };
  },

  async models(client) {
    return { ids: (await items(client.models.list())).map((model) => model.id).sort() };
  },
};

function clientOf({ url, key, base, retries }, count) {
  const common = {
    apiKey: key,
    maxRetries: retries,
    fetch: (...words) => {
      count();
      return fetch(...words);
    },
  };
  if (base === 'dated') {
    return new AzureOpenAI({ ...common, endpoint: url, apiVersion: '2025-04-01-preview' });
  }
  if (base === 'v1-header') {
    Object.assign(common, { apiKey: 'unused', defaultHeaders: { 'api-key': key } });
  }
  return new OpenAI({ ...common, baseURL: `${url}/openai/v1` });
}

async function run(order) {
  let attempts = 0;
  const client = clientOf(order, () => (attempts += 1));
  try {
    return { ...(await does[order.do](client, order.with)), attempts };
  } catch (error) {
    if (!(error instanceof APIError) || error.status === undefined) {
      return { broken: String(error.stack), attempts };
    }
    return { error: error.constructor.name, status: error.status, code: error.code, attempts };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await run(JSON.parse(line))));
}
