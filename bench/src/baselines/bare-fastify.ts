// Baseline (a): Fastify parses the same body and returns the same fields. Nothing is checked or stored.
import Fastify from 'fastify';

const app = Fastify();
let count = 0;

app.get('/readyz', async () => ({ ok: true }));
app.get('/metrics', async () => {
  const { user, system } = process.cpuUsage();
  return `process_cpu_seconds_total ${(user + system) / 1e6}\nprocess_resident_memory_bytes ${process.memoryUsage.rss()}\n`;
});
app.post('/api/v1/track/click', async (request) => {
  const { session_id } = request.body as { session_id: string };
  count += 1;
  return { success: true, click_id: `cust_${count}_${session_id}`, partner_code: 'bare', cookie_window_days: 60 };
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
