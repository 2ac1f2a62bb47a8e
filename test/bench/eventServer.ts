import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventPage } from './events.ts';

/** What `startEventServer` starts. Argument: the milliseconds after which it answers. Sends its port to its parent. */

const latency = Number(process.argv[2] ?? 0);
const totalPages = 100;
const bodies = Array.from({ length: totalPages }, (_, index) => Buffer.from(eventPage(index + 1)));

let connections = 0;
const server = createServer((request, response) => {
  if (request.url === '/connections') {
    response.end(String(connections));
    return;
  }
  const page = Number(new URL(request.url ?? '', 'http://server').searchParams.get('page') ?? 1);
  const body = bodies[page - 1] ?? Buffer.from('[]');
  const link = (rel: string, number: number) =>
    `<http://${request.headers.host}/api/v4/events?page=${number}&per_page=100>; rel="${rel}"`;
  const links = [
    ...(page > 1 ? [link('prev', page - 1)] : []),
    ...(page < totalPages ? [link('next', page + 1)] : []),
    link('first', 1),
    link('last', totalPages),
  ];
  const answer = () => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': body.length,
      link: links.join(', '),
      'x-page': page,
      'x-per-page': 100,
      'x-next-page': page < totalPages ? page + 1 : '',
      'x-prev-page': page > 1 ? page - 1 : '',
      'x-total': totalPages * 100,
      'x-total-pages': totalPages,
    });
    response.end(body);
  };
  if (latency === 0) {
    answer();
  } else {
    setTimeout(answer, latency);
  }
});
server.on('connection', () => (connections += 1));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
