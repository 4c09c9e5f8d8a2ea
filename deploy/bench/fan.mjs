// Fan-out of prices to many sockets: the edge compared with nginx and nchan, with the same bytes per
// tick. A tick is "covered" if a socket received it or a newer one of the same code, which is what a
// screen with the newest price needs. Each server has one core, the sockets the other.
import { SECONDS, inTurn, output, program, required } from './harness.mjs';
import { NGINX, PORTS, configured } from './nginx.mjs';

const SOCKETS = process.env.BENCH_FAN_SOCKETS ?? '1000';
const CODES = '50';

export async function fan() {
  const tool = await program('fan_out');
  const nchan = configured(
    'nchan',
    `nchan_shared_memory_size 512M;
     server {
       listen 127.0.0.1:${PORTS.nchan} backlog=4096;
       location = /pub { nchan_publisher; nchan_channel_id $arg_id; nchan_message_buffer_length 1; }
       location = /sub {
         nchan_subscriber websocket; nchan_channel_id $arg_id;
         nchan_channel_id_split_delimiter ","; nchan_subscriber_first_message newest;
       }
     }`,
    ['ngx_nchan_module.so'],
  );
  const measure = (target, more = [], environment = {}) => async () => {
    const command = target === 'nchan' ? [NGINX, ...nchan] : [`${required('BENCH_BIN_DIR')}/edge`, 'run'];
    const size = ['--sockets', SOCKETS, '--codes', CODES, '--seconds', String(SECONDS)];
    const address = `127.0.0.1:${PORTS[target]}`;
    const args = ['-c', '1', tool, '--target', target, '--address', address, ...size, ...more, '--', 'taskset', '-c', '0', ...command];
    const figures = JSON.parse(await output('taskset', args, environment));
    const perCpu = { covered: figures.covered / figures.cpuSeconds, values: figures.values / figures.cpuSeconds };
    console.log(
      `    ${[target, ...more, ...Object.values(environment).map((ms) => `conflation ${ms} ms`)].join(' ')}: ` +
        `${Math.round(perCpu.covered)} ticks covered and ${Math.round(perCpu.values)} values sent per cpu s, ` +
        `${((100 * figures.covered) / figures.offered).toFixed(1)} % of the ticks, stale p99 ${figures.staleP99Ms.toFixed(0)} ms, ` +
        `${(figures.idleBytesPerSocket / 1000).toFixed(1)} kB a socket idle, ${(figures.sendingBytesPerSocket / 1000).toFixed(1)} sending`,
    );
    if (figures.outOfOrder > 0) throw new Error(`${figures.outOfOrder} values came out of order`);
    return { ...figures, perCpu };
  };

  await inTurn(
    `prices to ${SOCKETS} sockets, ${CODES} codes each, 20 ticks a second of each`,
    { edge: measure('edge'), each: measure('edge', [], { CONFLATION_MS: '0' }), nchan: measure('nchan') },
    [
      { name: 'ticks covered per cpu second / nchan', of: ({ edge, nchan: peer }) => edge.perCpu.covered / peer.perCpu.covered, atLeast: 10 },
      { name: 'the same with each tick sent', of: ({ each, nchan: peer }) => each.perCpu.values / peer.perCpu.values, atLeast: 1 },
      { name: 'bytes of an idle socket / nchan', of: ({ edge, nchan: peer }) => edge.idleBytesPerSocket / peer.idleBytesPerSocket, atMost: 1.4 },
      { name: 'bytes of a socket that is sent to / nchan', of: ({ edge, nchan: peer }) => edge.sendingBytesPerSocket / peer.sendingBytesPerSocket, atMost: 2 },
    ],
  );
  await inTurn(
    'one socket in ten reads nothing',
    { all: measure('edge'), stalled: measure('edge', ['--stalled-percent', '10']) },
    [{ name: 'p99 staleness of the others', of: ({ all, stalled }) => stalled.staleP99Ms / all.staleP99Ms, atMost: 1.1 }],
  );
}
