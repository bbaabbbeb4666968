"""WARC archives as tables: each page scored by a topic, on the processes of one machine or on Apache Spark."""
