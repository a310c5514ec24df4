# The explorer and its API over one database: docs/hosting.md says how it is built and run.
FROM python:3.12-slim
WORKDIR /src
COPY pyproject.toml README.md CHANGELOG.md CONTRIBUTING.md LICENSE cli.py ./
COPY commands commands
COPY db db
COPY migrations migrations
COPY solver solver
COPY views views
COPY web web
COPY zermelo zermelo
RUN pip install --no-cache-dir '.[web]'
RUN mkdir /data && zermelo build --db /data/zermelo.db && zermelo build --db /data/zermelo.db -g mnk:4,3,3
RUN useradd --no-create-home zermelo
USER zermelo
WORKDIR /data
EXPOSE 8000
HEALTHCHECK CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=5)"]
CMD ["zermelo", "serve", "--db", "/data/zermelo.db", "--host", "0.0.0.0", "--port", "8000"]
