import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestService } from '@svc/testkit/service/service.ts';

/** The public side of the service under test: TLS, a record of every request, and a switch that takes it offline. */
export class Front {
  readonly requests: { method: string; host: string; path: string }[] = [];
  isDown = false;
  /** Accepts requests and never responds. */
  isHanging = false;
  url = '';
  readonly #server: Server;

  constructor(certificate: { key: string; cert: string }, service: TestService) {
    this.#server = createServer(certificate, (request, response) => {
      if (this.isDown) {
        request.socket.destroy();
        return;
      }
      const { method = '', url: path = '' } = request;
      if (this.isHanging) return;
      this.requests.push({ method, host: request.headers.host?.split(':')[0] ?? '', path });
      service.service.http.routing(request, response);
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `https://track.test:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
